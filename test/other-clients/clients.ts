type Command = readonly [program: string, ...parameters: string[]];

/** A client that is too large to be a dependency, with the commands to run it. */
export type Client = {
  readonly name: string;
  readonly packages: readonly string[];
  readonly commands: readonly Command[];
  /** Where the commands run, instead of the folder of the clients. */
  readonly folder?: string;
  /** If this fails, the client is not installed on this machine. */
  readonly needs?: Command;
};

const tool = (name: string): string => `node_modules/.bin/${name}`;

/** Generated code is compiled in strict mode, then bundled, since its imports have no extensions. */
const generated = (name: string, ...generate: Command): readonly Command[] => [
  generate,
  [tool('tsc'), '--project', `tsconfig.${name}.json`],
  [tool('esbuild'), `${name}.ts`, '--bundle', '--platform=node', '--format=esm', `--outfile=${name}.mjs`],
  ['node', `${name}.mjs`],
];

export const GENERATORS = [
  'hey-api',
  'openapi-typescript',
  'orval',
  'orval-zod',
  'kubb',
  'oazapfts',
] as const;

/** Clients of `npm test`, which `--newest` replaces in the same tests. */
export const TESTED_CLIENTS = {
  'ai-sdk-google': ['ai', '@ai-sdk/google'],
  'ai-sdk-google-vertex': ['ai', '@ai-sdk/google-vertex'],
  'ai-sdk-openai': ['ai', '@ai-sdk/openai'],
  'ai-sdk-openai-compatible': ['ai', '@ai-sdk/openai-compatible'],
  'google-files': ['@google/genai'],
  'google-images': ['@google/genai'],
  'google-vertex': ['@google/genai'],
  langchain: ['@langchain/openai', '@langchain/core'],
  mcp: ['@modelcontextprotocol/client'],
  'openai-images': ['openai'],
  'openai-images-api': ['openai'],
  'openai-videos': ['openai'],
  'openrouter-sdk': ['@openrouter/sdk'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const CLIENTS: readonly Client[] = [
  {
    name: 'TanStack AI: image, videos',
    packages: ['@tanstack/ai', '@tanstack/ai-openai'],
    commands: [['node', 'tanstack.ts']],
  },
  {
    name: 'Genkit: image, videos',
    packages: ['genkit', '@genkit-ai/google-genai'],
    commands: [['node', 'genkit.ts']],
  },
  {
    name: 'MCP clients: list, estimate, create, wait, generate, share',
    packages: [
      '@modelcontextprotocol/sdk',
      '@modelcontextprotocol/client',
      '@ai-sdk/mcp',
      'ai-sdk-mcp-1',
      '@langchain/mcp-adapters',
      'mcp-remote',
    ],
    commands: [['node', 'mcp-clients.ts']],
  },
  {
    name: 'MCP Inspector: both eras, and tasks',
    packages: ['@modelcontextprotocol/inspector'],
    commands: [['node', 'mcp-inspector.ts']],
  },
  {
    name: 'MCP conformance: three revisions',
    packages: ['@modelcontextprotocol/conformance'],
    commands: [['node', 'mcp-conformance.ts']],
  },
  {
    name: 'hey-api: generates, compiles, calls',
    packages: ['@hey-api/openapi-ts'],
    commands: generated('hey-api', tool('openapi-ts'), '-i', 'openapi.json', '-o', 'generated/hey-api'),
  },
  {
    name: 'openapi-typescript: generates, compiles, calls',
    packages: ['openapi-typescript', 'openapi-fetch'],
    commands: generated(
      'openapi-typescript',
      tool('openapi-typescript'),
      'openapi.json',
      '-o',
      'generated/openapi-typescript.ts',
    ),
  },
  {
    name: 'orval: generates, compiles, calls',
    packages: ['orval'],
    commands: generated('orval', tool('orval'), '--config', 'orval.config.ts', '--project', 'media'),
  },
  {
    name: 'orval with zod: generates, compiles, parses',
    packages: ['orval', 'zod'],
    commands: generated('orval-zod', tool('orval'), '--config', 'orval.config.ts', '--project', 'schemas'),
  },
  {
    name: 'kubb with zod: generates, compiles, calls, parses',
    packages: ['@kubb/core', '@kubb/plugin-client', '@kubb/plugin-zod'],
    commands: generated('kubb', tool('kubb'), 'generate', '--config', 'kubb.config.ts'),
  },
  {
    name: 'oazapfts: generates, compiles, calls',
    packages: ['oazapfts'],
    commands: generated('oazapfts', tool('oazapfts'), 'openapi.json', 'generated/oazapfts.ts'),
  },
  {
    name: 'Redocly: finds no problem',
    packages: ['@redocly/cli'],
    commands: [[tool('redocly'), 'lint', 'openapi.json', '--extends=recommended-strict']],
  },
  {
    name: 'Spectral: finds no problem',
    packages: ['@stoplight/spectral-cli'],
    commands: [[tool('spectral'), 'lint', 'openapi.json', '--ruleset=spectral.yaml', '--fail-severity=warn']],
  },
  {
    name: 'openai for Python: videos, images',
    packages: [],
    commands: [['python3', 'openai_client.py']],
    needs: ['python3', '-c', 'import openai'],
  },
  {
    name: 'google-genai for Python: images, files',
    packages: [],
    commands: [['python3', 'google_client.py']],
    needs: ['python3', '-c', 'import google.genai'],
  },
];
