import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts.ts';

export const ImagePlayground = () => <PageTitle title={texts.images.title} />;
