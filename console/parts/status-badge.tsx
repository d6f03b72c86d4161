import type { TaskStatus } from '../api/shapes.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';

export const StatusBadge = ({ status }: { readonly status: TaskStatus }) => (
  <span class={`badge badge-${status}`}>{texts.states[status]}</span>
);
