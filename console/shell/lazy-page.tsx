import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem, Waiting } from '../parts/feedback.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type Loaded<Props> =
  | { readonly state: 'waiting' }
  | { readonly state: 'ready'; readonly Page: ComponentType<Props> }
  | { readonly state: 'failed' };

/** Loads a page when it is opened. After a deployment the old file is gone, so a failure offers to reload. */
export const lazyPage = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  let cached: Loaded<Props> = { state: 'waiting' };
  return (props) => {
    const [loaded, setLoaded] = useState(cached);
    useEffect(() => {
      if (loaded.state !== 'waiting') return;
      load().then(
        (Page) => {
          cached = { state: 'ready', Page };
          setLoaded(cached);
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
