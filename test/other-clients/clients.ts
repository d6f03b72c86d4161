type Command = readonly [program: string, ...parameters: string[]];

/** A client that is too heavy to be a dependency: what it takes to run it, in the folder of its packages. */
export type Client = {
  readonly name: string;
  readonly packages: readonly string[];
  readonly commands: readonly Command[];
  /** Where this fails, the client is not on this machine. */
  readonly needs?: Command;
};

const tool = (name: string): string => `node_modules/.bin/${name}`;

/** Generated code is compiled as strictly as a user would, then bundled, since its imports have no extensions. */
const generated = (name: string, ...generate: Command): readonly Command[] => [
  generate,
  [tool('tsc'), '--project', `tsconfig.${name}.json`],
  [tool('esbuild'), `${name}.ts`, '--bundle', '--platform=node', '--format=esm', `--outfile=${name}.mjs`],
  ['node', `${name}.mjs`],
];

export const GENERATORS = ['hey-api', 'openapi-typescript', 'orval'] as const;

export const CLIENTS: readonly Client[] = [
  {
    name: 'AI SDK 7: chat, images, video',
    packages: ['ai', '@ai-sdk/openai', '@ai-sdk/google', '@ai-sdk/openai-compatible'],
    commands: [['node', 'ai-sdk-7.ts']],
  },
  { name: 'LangChain: ChatOpenAI', packages: ['@langchain/openai'], commands: [['node', 'langchain.ts']] },
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
    commands: generated('orval', tool('orval'), '--config', 'orval.config.ts'),
  },
  {
    name: 'Redocly: finds nothing but the known',
    packages: ['@redocly/cli'],
    commands: [
      [tool('redocly'), 'lint', 'openapi.json', '--extends=recommended', '--skip-rule=no-ambiguous-paths'],
    ],
  },
  {
    name: 'openai for Python: videos, images',
    packages: [],
    commands: [['python3', 'openai_client.py']],
    needs: ['python3', '-c', 'import openai'],
  },
  {
    name: 'google-genai for Python: images',
    packages: [],
    commands: [['python3', 'google_client.py']],
    needs: ['python3', '-c', 'import google.genai'],
  },
];
