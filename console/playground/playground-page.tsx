import type { ComponentChildren, ComponentType, Ref } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { isNegative, minus } from '../../functions/platform/domain/money.ts';
import { type Mutation, useStore, useWindowEvent } from '../api/hooks.ts';
import { sentBytes, toPercent } from '../api/uploads.ts';
import { SmallButton } from '../parts/buttons.tsx';
import { Tabs } from '../parts/choices.tsx';
import { type DraggedItem, hasItem, readItem } from '../parts/dragged-item.ts';
import { ActionError, RoleNote } from '../parts/feedback.tsx';
import { TextArea } from '../parts/field.tsx';
import { formatMoney } from '../parts/format.ts';
import { placeImages } from '../parts/input-images.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { notifyError, orNotify } from '../session/notices.ts';
import { useCurrentSession, useIsAllowed } from '../session/session.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';

const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') === true;

/** A file field handles what is dropped on it. */
const isFileField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === 'file';

type LoadItem = (item: DraggedItem) => Promise<File>;

type DropProps = {
  readonly loadItem: LoadItem;
  /** Called if the page shows no place for images; the next place that it shows receives them. */
  readonly onNoZone: () => void;
};

const DropAnywhere = ({ loadItem, onNoZone }: DropProps) => {
  const [isOver, setIsOver] = useState(false);
  const place = (files: readonly File[]): void => {
    if (!placeImages(files)) onNoZone();
  };
  const placeFiles = (event: Event, transfer: DataTransfer | null): void => {
    const files = [...(transfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    place(files);
  };
  useWindowEvent('dragover', (event) => {
    if (!hasFiles(event.dataTransfer) && !hasItem(event.dataTransfer)) return;
    setIsOver(true);
    // Otherwise the browser would open the file.
    if (!isFileField(event.target)) event.preventDefault();
  });
  useWindowEvent('dragleave', (event) => {
    // Without a related element, the pointer has left the page.
    if (event.relatedTarget === null) setIsOver(false);
  });
  useWindowEvent('drop', (event) => {
    setIsOver(false);
    // A zone has taken it.
    if (event.defaultPrevented) return;
    const item = readItem(event.dataTransfer);
    if (item !== undefined) {
      event.preventDefault();
      void orNotify(async () => place([await loadItem(item)]));
    } else if (!isFileField(event.target)) placeFiles(event, event.dataTransfer);
  });
  useWindowEvent('paste', (event) => placeFiles(event, event.clipboardData));
  return isOver ? (
    <div class="drop-anywhere" aria-hidden="true">
      {texts.form.dropAnywhere}
    </div>
  ) : null;
};

export type PlaygroundTab = 'result' | 'code';

type PageProps = {
  readonly title: string;
  readonly description: string;
  readonly form: ComponentChildren;
  /** Above both, such as a message. */
  readonly top?: ComponentChildren;
  readonly resultLabel: string;
  readonly result: ComponentChildren;
  readonly code: ComponentChildren;
  readonly tab: PlaygroundTab;
  readonly onTab: (tab: PlaygroundTab) => void;
  /** Keeps the result in view while the form scrolls. */
  readonly isSticky?: boolean;
  readonly asideRef?: Ref<HTMLDivElement>;
  /** Fetches a dragged item of the service. */
  readonly loadItem: LoadItem;
  /** Called when images are pasted or dropped while the form takes none. */
  readonly onImages?: () => void;
};

export const PlaygroundPage = (props: PageProps) => {
  const { title, description, form, resultLabel, result, code, tab, onTab, isSticky = false } = props;
  return (
    <>
      <PageTitle title={title} description={description} />
      <DropAnywhere loadItem={props.loadItem} onNoZone={props.onImages ?? (() => {})} />
      {props.top}
      <div class="split">
        {form}
        <div ref={props.asideRef ?? null} class={`card ${isSticky ? 'split-aside' : ''}`}>
          <Tabs
            label={title}
            chosen={tab}
            onChoose={onTab}
            tabs={[
              { name: 'result', label: resultLabel, content: result },
              { name: 'code', label: texts.video.code, content: code },
            ]}
          />
        </div>
      </div>
    </>
  );
};

/** The form of a playground: what it has, and how it is changed and sent. */
export type FormPanelProps<Form, Files> = {
  readonly form: Form;
  readonly files: Files;
  readonly onChange: (change: Partial<Form>) => void;
  readonly onFiles: (files: Files) => void;
  readonly onSubmit: () => void;
  readonly mutation: Pick<Mutation, 'isPending' | 'error'>;
};

type ComposerProps = {
  /** The fields; they show their problems only after the first attempt to submit. */
  readonly children: (showProblems: boolean) => ComponentChildren;
  readonly isValid: boolean;
  readonly onSubmit: () => void;
  readonly mutation: Pick<Mutation, 'isPending' | 'error'>;
  readonly pendingLabel: string;
  /** How many results the button creates, and their price together, as a decimal. */
  readonly count: number;
  readonly price: string | undefined;
  /** Below the button, such as how long it takes. */
  readonly note?: ComponentChildren;
  /** How to avoid the error. */
  readonly advice?: string | undefined;
};

const submitLabel = (count: number, price: string | undefined): string => {
  if (count > 1)
    return price === undefined
      ? texts.video.generateSeveral(count)
      : texts.video.generateSeveralFor(count, price);
  return price === undefined ? texts.video.generate : texts.video.generateFor(price);
};

export const useShortage = (price: string | undefined): string | undefined => {
  const { budget } = useCurrentSession();
  if (budget === null || price === undefined) return undefined;
  const left = minus(budget.limit, budget.used);
  if (!isNegative(minus(left, price))) return undefined;
  return formatMoney(isNegative(left) ? '0' : left, budget.currency);
};

/** The first field to correct: an invalid one, a missing image, or a choice that cannot be made any more. */
const WRONG = '[aria-invalid="true"], input[type="file"], fieldset:has(:checked:disabled) input:enabled';

export const Composer = (props: ComposerProps) => {
  const { children, isValid, onSubmit, pendingLabel, count } = props;
  const { isPending, error } = props.mutation;
  const form = useRef<HTMLFormElement>(null);
  const { sample_generator, prices } = useCurrentSession();
  const price = props.price === undefined ? undefined : formatMoney(props.price, prices.currency);
  const shortage = useShortage(props.price);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const percent = useStore(sentBytes, toPercent);
  const isAllowed = useIsAllowed('create');
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isPending || !isAllowed || shortage !== undefined) return;
    // After a request, the next changes are not an attempt yet.
    setIsSubmitted(!isValid);
    if (isValid) onSubmit();
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(WRONG)?.focus());
  };
  return (
    <form
      ref={form}
      class="card composer stack"
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
      }}
    >
      {children(isSubmitted)}
      <ActionError error={error} advice={props.advice} />
      <div class="composer-end stack stack-tight">
        <button
          type="submit"
          class="button button-primary button-wide number"
          disabled={!isAllowed || shortage !== undefined}
          aria-disabled={isPending}
          aria-describedby={isAllowed ? undefined : 'composer-role'}
        >
          {isPending
            ? percent === undefined
              ? pendingLabel
              : texts.video.uploading(percent)
            : shortage === undefined
              ? submitLabel(count, price)
              : texts.budget.exceeds(submitLabel(count, price), shortage)}
          <span class="keys" aria-hidden="true">
            {texts.form.submitKeys}
          </span>
        </button>
        <RoleNote action="create" id="composer-role" />
        <p class="hint composer-note">
          {price !== undefined && sample_generator && texts.video.samplePrice} {props.note}
        </p>
      </div>
    </form>
  );
};

export type HistoryProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onChoose: (prompt: string) => void;
};

type PromptProps = {
  readonly value: string;
  readonly hint?: string;
  readonly problem: string | undefined;
  readonly onChange: (change: { readonly prompt: string }) => void;
  readonly onCopyLink: () => Promise<void>;
  /** `PromptHistory`, which the first page loads later. */
  readonly History: ComponentType<HistoryProps>;
};

export const PromptField = ({ value, hint, problem, onChange, onCopyLink, History }: PromptProps) => {
  // Undefined until it was opened once, because it loads later.
  const [isOpen, setIsOpen] = useState<boolean>();
  return (
    <>
      <TextArea
        label={texts.form.prompt}
        hint={hint}
        problem={problem}
        dir="auto"
        rows={4}
        value={value}
        onChange={(prompt) => onChange({ prompt })}
      />
      <div class="row">
        <SmallButton onClick={() => setIsOpen(true)}>{texts.form.recentPrompts}</SmallButton>
        <SmallButton onClick={() => void onCopyLink().catch(notifyError)}>{texts.form.copyLink}</SmallButton>
      </div>
      {isOpen !== undefined && (
        <History
          open={isOpen}
          onClose={() => setIsOpen(false)}
          onChoose={(prompt) => {
            setIsOpen(false);
            onChange({ prompt });
          }}
        />
      )}
    </>
  );
};
