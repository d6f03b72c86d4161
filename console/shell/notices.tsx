import { X } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { useStore } from '../api/hooks.ts';
import { connection } from '../api/request.ts';
import { IconButton } from '../parts/buttons.tsx';
import { dismiss, notices } from '../session/notices.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';

export const Notices = () => {
  const shown = useStore(notices, (all) => all);
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.map(({ id, text, tone, link }) => (
        <div key={id} class={`line raised notice notice-${tone}`}>
          <span>
            {text} {link !== undefined && <Link href={link.href}>{link.label}</Link>}
          </span>
          <IconButton icon={X} aria-label={texts.actions.dismiss} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
};

/** Shown at the top while the service cannot be reached, where it covers no button. */
export const ConnectionNotice = () => {
  const isConnected = useStore(connection, (isThere) => isThere);
  return (
    <div class="connection" role="status">
      {!isConnected && <p>{texts.states.offline}</p>}
    </div>
  );
};
