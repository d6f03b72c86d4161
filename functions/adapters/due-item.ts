import type { DueTask } from '../domain/ports.ts';
import { type Attributes, number, optional, text } from './attributes.ts';

/** An entry of the due index. */
export const readDueTask = (item: Attributes): DueTask => ({
  id: text(item, 'id'),
  step: number(item, 'step'),
  sweeps: optional(item, 'sweeps', number) ?? 0,
});
