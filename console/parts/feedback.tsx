import { CircleAlert } from 'lucide-preact';
import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../api/errors.ts';
import { type Action, NEEDED_ROLES } from '../session/permissions.ts';
import { useIsAllowed } from '../session/session.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { Button } from './buttons.tsx';

/** Its animation makes it visible after 300 ms, so that short waits show nothing. */
export const Waiting = () => (
  <p class="waiting quiet" role="status">
    {texts.states.loading}
  </p>
);

type LoadProps = { readonly data: unknown; readonly error: Error | null; readonly refetch: () => void };

/** The wait for data, or the reason why there is none, or why it is not up to date. */
export const LoadState = ({ data, error, refetch }: LoadProps) => {
  if (error !== null) return <ErrorProblem error={error} retry={refetch} />;
  return data === undefined ? <Waiting /> : null;
};

type EmptyProps = { readonly title: string; readonly text: string; readonly children?: ComponentChildren };

/** Shown instead of an empty list; the children offer a way to fill it. */
export const Empty = ({ title, text, children }: EmptyProps) => (
  <section class="empty">
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </section>
);

type ProblemProps = {
  readonly message: string;
  readonly advice?: string | undefined;
  readonly details?: readonly (readonly [name: string, value: string | undefined])[] | undefined;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  readonly boxRef?: Ref<HTMLDivElement>;
};

export const Problem = ({ message, advice, details: all = [], action, boxRef }: ProblemProps) => {
  const details = all.filter(([, value]) => value !== undefined);
  return (
    <div ref={boxRef ?? null} class="problem" role="alert" tabIndex={-1}>
      <CircleAlert size={18} aria-hidden />
      <div class="stack stack-tight">
        <p dir="auto">{message}</p>
        {advice !== undefined && (
          <p>
            <strong>{texts.task.whatToDo}:</strong> {advice}
          </p>
        )}
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
            <Button onClick={action.run}>{action.label}</Button>
          </div>
        )}
      </div>
    </div>
  );
};

const errorDetails = (error: Error): ProblemProps['details'] =>
  error instanceof ApiError
    ? [
        [texts.errors.field, error.field],
        [texts.errors.code, error.code],
        [texts.errors.requestId, error.requestId],
      ]
    : [];

/** An error with the field, code and request id that support asks for. */
export const ErrorProblem = ({ error, retry }: { readonly error: Error; readonly retry?: () => void }) => (
  <Problem
    message={error.message}
    details={errorDetails(error)}
    action={retry && { label: texts.actions.tryAgain, run: retry }}
  />
);

type ActionErrorProps = { readonly error: Error | null; readonly advice?: string | undefined };

/** The error of an action, to be placed above its button: shown where the person looks, focused and announced. */
export const ActionError = ({ error, advice }: ActionErrorProps) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' });
    box.current?.focus({ preventScroll: true });
  }, [error]);
  if (error === null) return null;
  return <Problem message={error.message} advice={advice} details={errorDetails(error)} boxRef={box} />;
};

/** Says why an action is missing or disabled; nothing if it is allowed. */
export const RoleNote = ({ action, id }: { readonly action: Action; readonly id?: string }) =>
  useIsAllowed(action) ? null : (
    <p id={id} class="hint">
      {texts.permissions[NEEDED_ROLES[action]]}
    </p>
  );
