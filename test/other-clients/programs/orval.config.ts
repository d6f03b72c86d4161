export default {
  media: {
    input: 'openapi.json',
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      baseUrl: process.env.BASE_URL,
      override: { splitByContentType: true },
    },
  },
};
