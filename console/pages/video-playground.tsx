import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts.ts';

export const VideoPlayground = () => <PageTitle title={texts.video.title} />;
