const input = 'openapi.json';

export default {
  media: {
    input,
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      baseUrl: process.env.BASE_URL,
      override: { splitByContentType: true },
    },
  },
  schemas: { input, output: { target: 'generated/orval-zod.ts', client: 'zod' } },
};
