import { Ellipsis, LogOut } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { BrandMark } from './brand-mark.tsx';
import { NAVIGATION } from './routes.ts';
import { useCurrentSession } from './session-context.ts';
import { signOut } from './sign-out.ts';

const isWithin = (location: string, path: string): boolean =>
  location === path || location.startsWith(`${path}/`);

const Item = ({ path, label, icon: Icon }: (typeof NAVIGATION)[number]) => {
  const [location] = useLocation();
  return (
    <Link href={path} class="nav-link" aria-current={isWithin(location, path) ? 'page' : undefined}>
      <Icon size={18} aria-hidden />
      <span>{label}</span>
    </Link>
  );
};

const SignOut = () => {
  const { id } = useCurrentSession();
  return (
    <button type="button" class="nav-link" onClick={() => signOut(id)}>
      <LogOut size={18} aria-hidden />
      <span>{texts.actions.signOut}</span>
    </button>
  );
};

export const SideNavigation = () => {
  const { project_id } = useCurrentSession();
  return (
    <nav class="side" aria-label={texts.navigation.label}>
      <p class="brand">
        <BrandMark />
        <span class="brand-name" title={project_id}>
          {project_id}
        </span>
      </p>
      <div class="side-nav">
        {NAVIGATION.map((item) => (
          <Item key={item.path} {...item} />
        ))}
      </div>
      <div class="side-end">
        <SignOut />
      </div>
    </nav>
  );
};

const FURTHER = NAVIGATION.filter(({ small }) => !small);

/** On a narrow screen: four places to tap, and a fifth for the rest. */
export const BottomNavigation = () => {
  const [open, setOpen] = useState(false);
  const [location] = useLocation();
  const menu = useRef<HTMLDivElement>(null);
  const { project_id } = useCurrentSession();
  const isFurther = FURTHER.some(({ path }) => isWithin(location, path));
  useEffect(() => menu.current?.hidePopover(), [location]);
  return (
    <nav class="bottom-nav" aria-label={texts.navigation.label}>
      {NAVIGATION.filter(({ small }) => small).map((item) => (
        <Item key={item.path} {...item} />
      ))}
      <button
        type="button"
        class="nav-link"
        popovertarget="more-pages"
        aria-expanded={open}
        aria-current={isFurther ? 'true' : undefined}
      >
        <Ellipsis size={18} aria-hidden />
        <span>{texts.navigation.more}</span>
      </button>
      <div
        ref={menu}
        id="more-pages"
        popover="auto"
        class="more-pages"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <p class="more-account quiet small">{project_id}</p>
        {FURTHER.map((item) => (
          <Item key={item.path} {...item} />
        ))}
        <SignOut />
      </div>
    </nav>
  );
};
