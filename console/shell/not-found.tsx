import { Link } from 'wouter-preact';
import { texts } from '../texts/texts.ts';
import { PageTitle } from './page-title.tsx';

export const NotFound = () => (
  <div class="stack">
    <PageTitle title={texts.notFound.title} description={texts.notFound.text} />
    <p>
      <Link href="/playground/video">{texts.notFound.link}</Link>
    </p>
  </div>
);
