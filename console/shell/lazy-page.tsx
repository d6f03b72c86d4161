import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type Loaded<Props> =
  | { readonly state: 'waiting' }
  | { readonly state: 'ready'; readonly Page: ComponentType<Props> }
  | { readonly state: 'failed' };

/** A page whose code is fetched when it is opened. After a deployment the old file is gone: reloading helps. */
export const lazyPage = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  let known: Loaded<Props> = { state: 'waiting' };
  return (props) => {
    const [loaded, setLoaded] = useState(known);
    useEffect(() => {
      if (loaded.state !== 'waiting') return;
      load().then(
        (Page) => {
          known = { state: 'ready', Page };
          setLoaded(known);
        },
        () => setLoaded({ state: 'failed' }),
      );
    }, [loaded]);
    if (loaded.state === 'ready') return <loaded.Page {...props} />;
    if (loaded.state === 'waiting') return <Waiting />;
    return (
      <Problem
        message={texts.errors.pageNotLoaded}
        action={{ label: texts.actions.reload, run: () => location.reload() }}
      />
    );
  };
};
