import {
  BookOpen,
  ChartColumn,
  Check,
  ChevronsUpDown,
  Clapperboard,
  Ellipsis,
  Film,
  Image,
  Images,
  KeyRound,
  LogOut,
  type LucideIcon,
  Plug,
  ScrollText,
  Search,
  Settings,
  Users,
  Webhook,
} from 'lucide-preact';
import type { ComponentProps } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { Feature } from '../../functions/platform/domain/features.ts';
import { switchAccount } from '../api/session.ts';
import { CONSOLE_BASE } from '../environment.ts';
import { BrandMark } from '../parts/page-title.tsx';
import { notifyError } from '../session/notices.ts';
import { signOut, useCurrentSession, useIsAllowed } from '../session/session.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type NavigationItem = {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly letter: string;
  readonly small?: boolean;
  /** A deployment without it has no such page. */
  readonly feature?: Feature;
};

/** All pages in order. `letter` is the shortcut after `g`; `small` pages fit into the bottom bar of a narrow screen. */
const NAVIGATION: readonly NavigationItem[] = [
  { path: '/playground/video', label: texts.navigation.video, icon: Film, letter: 'v', small: true },
  { path: '/playground/images', label: texts.navigation.images, icon: Image, letter: 'i', small: true },
  { path: '/playground/storyboard', label: texts.navigation.storyboard, icon: Clapperboard, letter: 'b' },
  { path: '/library', label: texts.navigation.library, icon: Images, letter: 'l', small: true },
  { path: '/usage', label: texts.navigation.usage, icon: ChartColumn, letter: 'u' },
  { path: '/keys', label: texts.navigation.keys, icon: KeyRound, letter: 'k', small: true },
  { path: '/connect', label: texts.navigation.connect, icon: Plug, letter: 'c', feature: 'mcp' },
  { path: '/webhooks', label: texts.navigation.webhooks, icon: Webhook, letter: 'w', feature: 'webhooks' },
  { path: '/people', label: texts.navigation.people, icon: Users, letter: 'p', feature: 'people' },
  { path: '/audit', label: texts.navigation.audit, icon: ScrollText, letter: 'a' },
  { path: '/docs', label: texts.navigation.docs, icon: BookOpen, letter: 'd' },
  { path: '/settings', label: texts.navigation.settings, icon: Settings, letter: 's' },
];

export const isWithin = (location: string, path: string): boolean =>
  location === path || location.startsWith(`${path}/`);

const Item = ({ path, label, icon: Icon }: NavigationItem) => {
  const [location] = useLocation();
  return (
    <Link href={path} class="line nav-link" aria-current={isWithin(location, path) ? 'page' : undefined}>
      <Icon size={18} aria-hidden />
      <span>{label}</span>
    </Link>
  );
};

/** Opens the command palette, as Ctrl+K does. */
export const OPEN_PALETTE = 'console-palette';

type NavButtonProps = Omit<ComponentProps<'button'>, 'icon' | 'label'> &
  Pick<NavigationItem, 'label' | 'icon'>;

const NavButton = ({ icon: Icon, label, ...button }: NavButtonProps) => (
  <button type="button" class="line nav-link" {...button}>
    <Icon size={18} aria-hidden />
    <span>{label}</span>
  </button>
);

const GoTo = () => (
  <NavButton
    icon={Search}
    label={texts.navigation.goTo}
    onClick={() => document.dispatchEvent(new Event(OPEN_PALETTE))}
  />
);

const SignOut = () => {
  const { id } = useCurrentSession();
  return <NavButton icon={LogOut} label={texts.actions.signOut} onClick={() => signOut(id)} />;
};

/** A detail page belongs to one account, so its list is opened instead. */
const listPage = (): string =>
  location.pathname.slice(CONSOLE_BASE.length).replace(/^(\/(?:library|webhooks))\/.*$/, '$1');

/** The accounts of the person; choosing one loads the page anew, so that nothing of the other stays in memory. */
const AccountList = () => {
  const { project_id, accounts } = useCurrentSession();
  const [isPending, setIsPending] = useState(false);
  const change = async (projectId: string): Promise<void> => {
    setIsPending(true);
    try {
      await switchAccount(projectId);
      location.assign(`${CONSOLE_BASE}${listPage()}`);
    } catch (error) {
      notifyError(error);
      setIsPending(false);
    }
  };
  return (
    <ul class="account-list" aria-label={texts.account.switch}>
      {accounts.map((account) => (
        <li key={account.project_id}>
          <button
            type="button"
            class="line nav-link"
            disabled={isPending}
            aria-current={account.project_id === project_id ? 'true' : undefined}
            onClick={() => account.project_id !== project_id && void change(account.project_id)}
          >
            <span class="grow breaks">{account.project_id}</span>
            <span class="quiet small">{texts.account.roles[account.role]}</span>
            {account.project_id === project_id && <Check size={15} aria-hidden />}
          </button>
        </li>
      ))}
    </ul>
  );
};

/** The name of the account; a menu for people who belong to several. */
const AccountName = () => {
  const { project_id, accounts } = useCurrentSession();
  const [isOpen, setIsOpen] = useState(false);
  if (accounts.length < 2)
    return (
      <span class="ellipsis" title={project_id}>
        {project_id}
      </span>
    );
  return (
    <>
      <button
        type="button"
        class="account-button"
        popovertarget="accounts"
        aria-expanded={isOpen}
        title={texts.account.switch}
      >
        <span class="ellipsis">
          {project_id}
          <span class="visually-hidden">, {texts.account.switch}</span>
        </span>
        <ChevronsUpDown size={15} aria-hidden />
      </button>
      <div
        id="accounts"
        popover="auto"
        class="menu raised account-menu"
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        <AccountList />
      </div>
    </>
  );
};

/** Who is signed in: a person with a name and a role, or whoever has used a sign-in link. */
const SignedInAs = () => {
  const { user, role } = useCurrentSession();
  const name = user === null ? texts.account.link : user.name || user.email;
  return (
    <p class="signed-in-as small" title={user?.email}>
      <span class="ellipsis">{name}</span>
      <span class="quiet">{texts.account.roles[role]}</span>
    </p>
  );
};

/** The pages of the deployment. */
export const usePages = (): readonly NavigationItem[] => {
  const { features } = useCurrentSession();
  return NAVIGATION.filter(({ feature }) => feature === undefined || features.includes(feature));
};

/** Pages that are of no use to the person are not listed; their address explains why. */
export const useListedPages = () => {
  const seesAudit = useIsAllowed('audit');
  return usePages().filter(({ path }) => path !== '/audit' || seesAudit);
};

export const SideNavigation = () => (
  <nav class="side" aria-label={texts.navigation.label}>
    <div class="line brand">
      <BrandMark />
      <AccountName />
    </div>
    <div class="side-nav">
      <GoTo />
      {useListedPages().map((item) => (
        <Item key={item.path} {...item} />
      ))}
    </div>
    <div class="side-end">
      <SignedInAs />
      <SignOut />
    </div>
  </nav>
);

/** For narrow screens: four pages, and a menu for the others. */
export const BottomNavigation = () => {
  const [open, setOpen] = useState(false);
  const [location] = useLocation();
  const menu = useRef<HTMLDivElement>(null);
  const { project_id, accounts } = useCurrentSession();
  const more = useListedPages().filter(({ small }) => !small);
  const isMoreActive = more.some(({ path }) => isWithin(location, path));
  useEffect(() => menu.current?.hidePopover(), [location]);
  return (
    <nav class="bottom-nav" aria-label={texts.navigation.label}>
      {NAVIGATION.filter(({ small }) => small).map((item) => (
        <Item key={item.path} {...item} />
      ))}
      <NavButton
        icon={Ellipsis}
        label={texts.navigation.more}
        popovertarget="more-pages"
        aria-expanded={open}
        aria-current={isMoreActive ? 'true' : undefined}
      />
      <div
        ref={menu}
        id="more-pages"
        popover="auto"
        class="menu raised more-pages"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {accounts.length > 1 ? <AccountList /> : <p class="more-account breaks quiet small">{project_id}</p>}
        <GoTo />
        {more.map((item) => (
          <Item key={item.path} {...item} />
        ))}
        <SignedInAs />
        <SignOut />
      </div>
    </nav>
  );
};
