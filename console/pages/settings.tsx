import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts.ts';

export const Settings = () => <PageTitle title={texts.settings.title} />;
