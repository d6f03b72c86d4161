import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useQuery } from '../api/hooks.ts';
import { hasWords, openApi, operationPath, routesByTag, routeText } from '../docs/operations.ts';
import { Dialog } from '../parts/dialog.tsx';
import { signOut, useCurrentSession } from '../session/session.ts';
import { chooseTheme, THEMES } from '../session/storage.ts';
import { texts } from '../texts/texts.ts';
import { useListedPages } from './navigation.tsx';

type Command = {
  readonly label: string;
  /** Beside the label. */
  readonly kind: string;
  /** What people may type to find it. */
  readonly words: string;
  readonly run: () => void;
};

const MAX_SHOWN = 50;

/** All pages, actions and endpoints; pages first. */
const useCommands = (): readonly Command[] => {
  const [, navigate] = useLocation();
  const { id } = useCurrentSession();
  const { data: document } = useQuery(openApi);
  const command = (kind: string, label: string, run: () => void, words = label): Command => ({
    label,
    kind,
    words: `${words} ${kind}`,
    run,
  });
  const routes = document === undefined ? [] : routesByTag(document).flatMap(([, group]) => group);
  return [
    ...useListedPages().map(({ label, path }) => command(texts.palette.page, label, () => navigate(path))),
    ...THEMES.map((theme) =>
      command(texts.palette.action, texts.palette.theme(texts.settings.themes[theme]), () =>
        chooseTheme(theme),
      ),
    ),
    command(texts.palette.action, texts.actions.signOut, () => void signOut(id)),
    ...routes.map((route) =>
      command(
        route.operation.summary,
        `${route.method.toUpperCase()} ${route.path}`,
        () => navigate(operationPath(route)),
        routeText(route),
      ),
    ),
  ];
};

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The focus stays in the field; the arrow keys move the selection. */
const CommandList = () => {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = useCommands()
    .filter(({ words }) => hasWords(words, search))
    .slice(0, MAX_SHOWN);
  const index = Math.min(chosen, found.length - 1);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    // At once: while the dialog is open, the title of the next page cannot take the focus.
    list.current?.closest('dialog')?.close();
    command.run();
  };
  useEffect(() => list.current?.children[index]?.scrollIntoView({ block: 'nearest' }), [index, search]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step !== undefined) setChosen((index + step + found.length) % found.length);
    else if (event.key === 'Enter') run(found[index]);
    else return;
    event.preventDefault();
  };
  return (
    <div class="stack">
      <input
        class="input"
        type="search"
        role="combobox"
        aria-label={texts.palette.search}
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={found.length === 0 ? undefined : `command-${index}`}
        placeholder={texts.palette.search}
        autofocus
        value={search}
        onInput={({ currentTarget }) => {
          setSearch(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id="commands" class="commands" role="listbox" aria-label={texts.palette.title}>
        {found.map((command, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={`${command.label} ${command.kind}`}
            id={`command-${at}`}
            class="command"
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            onClick={() => run(command)}
          >
            <span class="breaks">{command.label}</span>
            <span class="quiet small">{command.kind}</span>
          </div>
        ))}
      </div>
      <p class="hint" role="status">
        {found.length === 0 ? texts.palette.none : ''}
      </p>
    </div>
  );
};

/** Ctrl+K: goes to a page or an endpoint, or does something, by its name. */
export const Palette = (props: { readonly open: boolean; readonly onClose: () => void }) => (
  <Dialog title={texts.palette.title} {...props}>
    <CommandList />
  </Dialog>
);
