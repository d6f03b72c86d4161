import { splitCommands } from '../../lib/rehearsal/documents.ts';
import { DOCUMENTS, readDocument } from './sections.ts';

/** A command of a shell block: one line, or a loop, a function or a condition with all its lines. */
export type DocumentedCommand = {
  readonly document: string;
  readonly heading: string;
  readonly text: string;
};

/** Who types a command in the tests, or why nobody does. */
type Treatment =
  | { readonly by: 'examples.test.ts' | 'downloads.test.ts' | 'documented-commands.test.ts' | 'rehearsal' }
  | { readonly not: string };

const EXAMPLES = { by: 'examples.test.ts' } as const;
export const HERE = { by: 'documented-commands.test.ts' } as const;
const REHEARSED = { by: 'rehearsal' } as const;
const ON_AWS = { not: 'reads or changes what only AWS has: logs, alarms, quotas and drift' } as const;

/** The first row whose pattern matches. A new kind of command needs a row; a row without a command is superfluous. */
export const TREATMENTS: readonly (readonly [pattern: RegExp, Treatment])[] = [
  [
    /^[A-Z]+=['\w]|^\w+\(\) \{|^export (?:BASE_URL|API_KEY)=/,
    { not: 'defines a variable or a function that other commands use' },
  ],
  [/^npm run (?:-s )?(?:accounts|audit|console|keys|people|simulate|upstreams|usage) -- /, HERE],
  // The setting is read; the rest is the command of other rows.
  [
    /^(?:export )?MEDIA_GENERATION_(?!PERMISSIONS_BOUNDARY_ARN|DELETION_PROTECTION)\w+=\S+(?: npm (?:run synth|start))?$/,
    HERE,
  ],
  [
    /^npm run restore -- /,
    { not: 'test/bin/restore.test.ts runs it, to a moment after its data was written' },
  ],
  [
    /^npm ci && npm (?:start|test)$/,
    { not: 'test/lib/local/start/npm-start.test.ts runs npm start, and npm test is this run' },
  ],
  [/^npm run rehearse$/, { not: 'test/lib/rehearsal/rehearsal.test.ts runs one of them' }],
  [/^npx node --test /, { not: 'runs one of these tests' }],
  [/^gcloud /, { not: 'needs the CLI of Google Cloud and a project' }],
  [
    /^npm run smoke -- |^npm run execution-policy -- |npm run (?:deploy|diff)\b|^npx cdk |^export MEDIA_GENERATION_(?:PERMISSIONS_BOUNDARY_ARN|DELETION_PROTECTION)=/,
    REHEARSED,
  ],
  [
    /^aws secretsmanager put-secret-value .*credentials?\.json$/,
    { not: 'the rehearsal has another credential' },
  ],
  [/^aws secretsmanager put-secret-value /, REHEARSED],
  [/aws cloudformation (?:list-stack-resources|update-termination-protection|delete-stack)/, REHEARSED],
  [/aws dynamodb update-|aws iam create-policy|^aws s3 rm /, REHEARSED],
  [/aws (?:cloudformation|cloudwatch|lambda|logs|service-quotas) |^logs /, ON_AWS],
  [/^LOCATION=|^(?:wget|aria2c|ffprobe) /, { by: 'downloads.test.ts' }],
  [/curl |^while printf|^if printf|^TASK=/, EXAMPLES],
];

export const findRow = ({ text }: DocumentedCommand) => TREATMENTS.find(([pattern]) => pattern.test(text));

export const findTreatment = (command: DocumentedCommand): Treatment | undefined => findRow(command)?.[1];

const HEADING = /^#{1,6} .*$/gm;

export const documentedCommands = (): readonly DocumentedCommand[] =>
  DOCUMENTS.flatMap((document) => {
    const text = readDocument(document);
    return Array.from(text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)).flatMap(({ index, 1: block = '' }) => {
      const heading = text.slice(0, index).match(HEADING)?.at(-1) ?? '';
      return splitCommands(block.trimEnd()).map((command) => ({ document, heading, text: command }));
    });
  });

/** The commands that the rehearsal of a deployment types, each once. */
export const rehearsedCommands = (): readonly string[] => [
  ...new Set(
    documentedCommands()
      .filter((command) => findTreatment(command) === REHEARSED)
      .map(({ text }) => text),
  ),
];
