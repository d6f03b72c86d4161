import { randomUUID } from 'node:crypto';
import {
  type AccessedResource,
  AwsError,
  element,
  failureReply,
  type Reply,
  type Service,
  type SignedRequest,
} from '../emulators/aws-http/service.ts';

export type QueryOperation = (input: unknown, request: SignedRequest) => unknown;

type QueryServiceOptions = {
  readonly namespace: string;
  readonly operations: Readonly<Record<string, QueryOperation>>;
};

type Tree = { [name: string]: Tree | string };

const isIndexed = (tree: Tree): boolean => Object.keys(tree).every((name) => /^\d+$/.test(name));

/** `member` lists become arrays; the indexes of AWS's clients have no gaps. */
const toValue = (tree: Tree | string): unknown => {
  if (typeof tree === 'string') return tree;
  const { member } = tree;
  if (typeof member === 'object' && isIndexed(member))
    return Object.entries(member)
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([, item]) => toValue(item));
  return Object.fromEntries(Object.entries(tree).map(([name, inner]) => [name, toValue(inner)]));
};

/** Reads `Parameters.member.1.ParameterKey=…`; an empty list is sent as an empty text. */
export const readForm = (text: string): { readonly action: string; readonly input: unknown } => {
  const { Action: action = '', Version: _, ...fields } = Object.fromEntries(new URLSearchParams(text));
  const root: Tree = Object.create(null);
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      const inner = at[name];
      at = at[name] = typeof inner === 'object' ? inner : Object.create(null);
    }
    at[last] = value;
  }
  return { action, input: toValue(root) };
};

/** Fields without a value are left out, as AWS does. */
const toXml = (name: string, value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value))
    return `<${name}>${value.map((item) => toXml('member', item)).join('')}</${name}>`;
  if (value instanceof Date) return element(name, value.toISOString());
  if (typeof value === 'object')
    return `<${name}>${Object.entries(value)
      .map(([inner, one]) => toXml(inner, one))
      .join('')}</${name}>`;
  return element(name, String(value));
};

const reply = (status: number, body: string): Reply => ({
  status,
  headers: { 'content-type': 'text/xml', 'x-amzn-requestid': randomUUID() },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
});

const refuse = ({ status, code, message }: AwsError, namespace: string): Reply => {
  const fields = [element('Type', 'Sender'), element('Code', code), element('Message', message)];
  return reply(
    status,
    `<ErrorResponse xmlns="${namespace}"><Error>${fields.join('')}</Error></ErrorResponse>`,
  );
};

/** A service with the query protocol: forms in, XML out. */
export const queryService = ({ namespace, operations }: QueryServiceOptions): Service => ({
  kind: 'buffered',
  dialect: 'xml',
  close: async () => {},
  async answer(request, payload) {
    const accessed: readonly AccessedResource[] = [];
    const { action, input } = readForm(payload.toString('utf8'));
    try {
      const operation = Object.hasOwn(operations, action) ? operations[action] : undefined;
      if (operation === undefined)
        throw new AwsError(400, 'InvalidAction', `The local cloud has no action ${action}.`);
      const result = toXml(`${action}Result`, (await operation(input, request)) ?? {});
      const body = `<${action}Response xmlns="${namespace}">${result}</${action}Response>`;
      return { reply: reply(200, body), accessed };
    } catch (error) {
      if (error instanceof AwsError) return { reply: refuse(error, namespace), accessed };
      return { reply: failureReply('xml', error, request), accessed };
    }
  },
});
