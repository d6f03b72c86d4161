import { UpstreamError } from '../../../functions/upstream/domain/faults.ts';
import type { CallName } from '../../support/in-memory/call.ts';

/** Errors of failed calls: upstream ports throw an UpstreamError, all others a plain error. */

export const isUpstream = (name: CallName): boolean => name.startsWith('generator.');

export const timeoutError = (name: CallName): Error =>
  isUpstream(name) ? new UpstreamError('unanswered', 'no answer') : new Error(`${name} timed out`);

export const refusalError = (name: CallName): Error =>
  isUpstream(name)
    ? new UpstreamError('busy', 'too many requests', { httpStatus: 429 })
    : Object.assign(new Error(`${name} was refused`), { name: 'ThrottlingException' });
