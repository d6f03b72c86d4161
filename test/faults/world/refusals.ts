import { UpstreamError } from '../../../functions/upstream/domain/upstream-error.ts';
import type { CallName } from '../../support/in-memory/call.ts';

/** What the ports throw when a call goes wrong: the upstream's own error, or any other. */

export const isUpstream = (name: CallName): boolean => name.startsWith('generator.');

export const timeoutOf = (name: CallName): Error =>
  isUpstream(name) ? new UpstreamError('unanswered', 'no answer') : new Error(`${name} timed out`);

export const refusalOf = (name: CallName): Error =>
  isUpstream(name)
    ? new UpstreamError('busy', 'too many requests', { httpStatus: 429 })
    : Object.assign(new Error(`${name} was refused`), { name: 'ThrottlingException' });
