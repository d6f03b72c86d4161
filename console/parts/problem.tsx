import { CircleAlert } from 'lucide-preact';
import { ApiError } from '../api/api-error.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type Props = {
  readonly message: string;
  readonly details?: readonly (readonly [string, string])[];
  readonly action?: { readonly label: string; readonly run: () => void };
};

export const Problem = ({ message, details = [], action }: Props) => (
  <div class="problem" role="alert">
    <CircleAlert size={18} aria-hidden />
    <div class="stack stack-tight">
      <p dir="auto">{message}</p>
      {details.length > 0 && (
        <dl class="problem-details small">
          {details.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {action !== undefined && (
        <div>
          <button type="button" class="button" onClick={action.run}>
            {action.label}
          </button>
        </div>
      )}
    </div>
  </div>
);

const detailsOf = (error: Error): (readonly [string, string])[] => {
  if (!(error instanceof ApiError)) return [];
  const { field, code, requestId } = error;
  return [
    ...(field === undefined ? [] : [[texts.errors.field, field] as const]),
    ...(code === undefined ? [] : [[texts.errors.code, code] as const]),
    ...(requestId === undefined ? [] : [[texts.errors.requestId, requestId] as const]),
  ];
};

/** What went wrong, with all that support or a developer would ask for. */
export const ErrorProblem = ({ error, retry }: { readonly error: Error; readonly retry?: () => void }) => (
  <Problem
    message={error.message}
    details={detailsOf(error)}
    {...(retry === undefined ? {} : { action: { label: texts.actions.tryAgain, run: retry } })}
  />
);
