import { Link } from 'wouter-preact';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts.ts';

export const NotFound = () => (
  <div class="stack">
    <PageTitle title={texts.notFound.title} description={texts.notFound.text} />
    <p>
      <Link href="/playground/video">{texts.notFound.link}</Link>
    </p>
  </div>
);
