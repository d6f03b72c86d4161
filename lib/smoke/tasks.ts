import { randomUUID } from 'node:crypto';
import { type Answer, at, expectAnswer, expectTrue, failure, textAt } from './answers.ts';
import type { Api, Call } from './api.ts';
import { wait } from './throttling.ts';

/** Generation normally takes up to six minutes. */
const MAX_GENERATION_MS = 12 * 60_000;
const [MIN_POLL_MS, MAX_POLL_MS] = [500, 10_000] as const;

type Create = Pick<Call, 'json' | 'form'>;

const pollDelay = ({ headers }: Answer): number => {
  const asked = Number(headers.get('openai-poll-after-ms') ?? 3000);
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, Number.isFinite(asked) ? asked : 0));
};

const describeOutcome = (answer: Answer): string =>
  [
    textAt(answer.json, 'status'),
    textAt(answer.json, 'error', 'code'),
    textAt(answer.json, 'error', 'message'),
  ]
    .filter((part) => part !== '')
    .join(' ');

export const trackTasks = (api: Api) => {
  const left = new Set<string>();
  const creating = new Set<Promise<unknown>>();
  const path = (id: string): string => `/v1/videos/${encodeURIComponent(id)}`;

  /** Sends a create request; a task that it creates is removed at the end of the run. */
  const send = (request: Create): Promise<Answer> => {
    // An interrupted create could leave a task with an unknown id.
    const call = { ...request, headers: { 'idempotency-key': randomUUID() }, interruptible: false };
    const sent = api.call('POST', '/v1/videos', call).then((answer) => {
      if (answer.status === 200) left.add(textAt(answer.json, 'id'));
      return answer;
    });
    creating.add(sent.catch(() => undefined));
    return sent;
  };

  /** Creates a task and returns its id. */
  const create = async (request: Create): Promise<string> => {
    const answer = await expectAnswer(200, send(request));
    const id = textAt(answer.json, 'id');
    expectTrue(/^task_\w+$/.test(id), 'an id that begins with task_', JSON.stringify(id), answer);
    expectTrue(at(answer.json, 'task_id') === id, 'task_id equal to id', 'another value', answer);
    expectTrue(at(answer.json, 'status') === 'queued', 'status queued', describeOutcome(answer), answer);
    return id;
  };

  /** Polls until the task has ended, and expects it to be completed. */
  const completed = async (id: string): Promise<Answer> => {
    const deadline = Date.now() + MAX_GENERATION_MS;
    for (;;) {
      const answer = await expectAnswer(200, api.call('GET', path(id)));
      const status = at(answer.json, 'status');
      if (status === 'completed') return answer;
      if (status !== 'queued' && status !== 'in_progress')
        throw failure('status completed', describeOutcome(answer), answer);
      expectTrue(Date.now() < deadline, 'an end within 12 minutes', describeOutcome(answer), answer);
      await wait(pollDelay(answer), api.interrupted);
    }
  };

  const remove = async (id: string, interruptible = true): Promise<Answer> => {
    const answer = await api.call('DELETE', path(id), { interruptible });
    if (answer.status === 200 || answer.status === 404) left.delete(id);
    return answer;
  };

  /** Removes the remaining tasks of the run and returns the ids of those that could not be removed. */
  const removeAll = async (timeoutMs: number): Promise<readonly string[]> => {
    await Promise.all(creating);
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      await Promise.all([...left].map((id) => remove(id, false).catch(() => undefined)));
      if (left.size === 0 || Date.now() >= deadline) return [...left];
      // A task can be removed only after it has ended.
      await wait(1000);
    }
  };

  return { send, create, completed, remove: (id: string) => remove(id), removeAll };
};

export type Tasks = ReturnType<typeof trackTasks>;
