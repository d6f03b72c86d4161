import { once } from 'node:events';
import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startServer } from './server.ts';

/** Faults of the calls that write transactions. */
export const TRANSACTION_FAULTS = [
  /** DynamoDB fails once, without effect. */
  'refused once',
  /** DynamoDB fails every time, without effect. */
  'always refused',
  /** The first transaction takes effect, but its response is lost. */
  'response lost once',
  /** The transaction takes effect, but no response arrives, however often it is repeated. */
  'always lost',
  /** Another write of the same items cancels the first transaction. */
  'conflict once',
  /** The function dies before the transaction reaches DynamoDB. */
  'killed before',
  /** The function dies after the transaction took effect, before it learns of that. */
  'killed after',
] as const;
export type TransactionFault = (typeof TRANSACTION_FAULTS)[number];

const TRANSACTION = 'DynamoDB_20120810.TransactWriteItems';

/** Sends the request on, with its host, which the signature covers. */
const forward = async (target: URL, { method, url, headers }: IncomingMessage, body: Buffer) => {
  const outgoing = openRequest({ host: target.hostname, port: target.port, method, path: url, headers });
  outgoing.end(body);
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  if (response === undefined) throw new Error('no response');
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
};

const fail = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));

const refuse = (response: ServerResponse): void =>
  fail(response, 500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: 'down' });

const cancel = (response: ServerResponse): void =>
  fail(response, 400, {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    message: 'Transaction cancelled',
    CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
  });

/** Stands between functions and the emulators, and disturbs the transactions of one action. */
export const startFaultyDynamo = async (endpoint: string) => {
  const target = new URL(endpoint);
  let fault: TransactionFault | undefined;
  let transactions = 0;
  let died = Promise.withResolvers<void>();
  /** The transactions of dead functions, which here live on and repeat them. */
  const dead = new Set<string>();

  const disturb = async (
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
  ): Promise<boolean> => {
    const token = String(JSON.parse(body.toString()).ClientRequestToken);
    if (dead.has(token)) return true;
    transactions += 1;
    const isFirst = transactions === 1;
    if (fault === 'always refused' || (fault === 'refused once' && isFirst)) refuse(response);
    else if (fault === 'conflict once' && isFirst) cancel(response);
    else if (fault === 'always lost' || (fault === 'response lost once' && isFirst)) {
      await forward(target, request, body);
      response.destroy();
    } else if (fault === 'killed before' || fault === 'killed after') {
      dead.add(token);
      if (fault === 'killed after') await forward(target, request, body);
      died.resolve();
    } else return false;
    return true;
  };

  const server = await startServer(async (request, response) => {
    const body = await buffer(request);
    const isTransaction = request.headers['x-amz-target'] === TRANSACTION;
    if (isTransaction && (await disturb(request, response, body))) return;
    const answer = await forward(target, request, body);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });

  return {
    url: server.url,
    close: server.close,
    /** Runs an action with the fault; its outcome is undefined if the function dies. */
    during: async <T>(wanted: TransactionFault, act: () => Promise<T>): Promise<T | undefined> => {
      [fault, transactions, died] = [wanted, 0, Promise.withResolvers()];
      try {
        return await Promise.race([act(), died.promise.then(() => undefined)]);
      } finally {
        fault = undefined;
      }
    },
    /** How many transactions the action sent. */
    transactions: () => transactions,
  };
};
