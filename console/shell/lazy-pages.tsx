import { Link } from 'wouter-preact';
import { texts } from '../texts/texts.ts';
import { PageTitle } from './page-title.tsx';

/** All pages and parts that load after the first page, as one file, because each file is a request to the server. */
export { withImages } from '../api/image-files.ts';
export { updateItem } from '../api/library.ts';
export { AuditLog } from '../audit/audit-log.tsx';
export { Connect } from '../connect/connect.tsx';
export { Docs } from '../docs/docs.tsx';
export { ImagePlayground } from '../images/image-playground.tsx';
export { Keys } from '../keys/keys.tsx';
export { ItemDetail } from '../library/item-detail.tsx';
export { KeepButton } from '../library/keep-button.tsx';
export { Library } from '../library/library.tsx';
export { ShareButton } from '../library/share-dialog.tsx';
export { continuation, loadInputs, loadItemImage } from '../library/use-again.ts';
export { Confirm } from '../parts/dialog.tsx';
export { DropZone } from '../parts/drop-zone.tsx';
export { VideoFailure } from '../parts/video-failure.tsx';
export { People } from '../people/people.tsx';
export { BatchGrid } from '../playground/batch-grid.tsx';
export { VideoCodePanel } from '../playground/code-panel.tsx';
export { CompareDialog } from '../playground/compare-dialog.tsx';
export { copyVideoLink, LinkedVideo } from '../playground/linked-settings.tsx';
export { PromptHistory } from '../playground/prompt-history.tsx';
export { Settings, ShortcutHelp } from '../settings/settings.tsx';
export { Storyboard } from '../storyboard/storyboard.tsx';
export { Usage } from '../usage/usage.tsx';
export { WebhookDetail } from '../webhooks/webhook-detail.tsx';
export { Webhooks } from '../webhooks/webhooks.tsx';
export { NoVideos } from './not-offered.tsx';
export { Palette } from './palette.tsx';

/** Any other address. */
export const NotFound = () => (
  <div class="stack">
    <PageTitle title={texts.notFound.title} description={texts.notFound.text} />
    <p>
      <Link href="/playground/video">{texts.notFound.link}</Link>
    </p>
  </div>
);
