import { Link } from 'wouter-preact';
import { texts } from '../texts/texts.ts';
import { PageTitle } from './page-title.tsx';

type Props = { readonly title: string; readonly text: string; readonly href: string; readonly link: string };

const NothingHere = ({ title, text, href, link }: Props) => (
  <div class="stack">
    <PageTitle title={title} description={text} />
    <p>
      <Link href={href}>{link}</Link>
    </p>
  </div>
);

export const NotFound = () => <NothingHere {...texts.notFound} href="/playground/video" />;

/** Playgrounds whose models the deployment does not offer. The library has what was generated earlier. */
const LIBRARY = { href: '/library', link: texts.notOffered.link };

export const NoVideos = ({ title = texts.video.title }: { readonly title?: string }) => (
  <NothingHere title={title} text={texts.notOffered.videos} {...LIBRARY} />
);

export const NoImages = () => (
  <NothingHere title={texts.images.title} text={texts.notOffered.images} {...LIBRARY} />
);
