import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts.ts';

export const Tasks = () => <PageTitle title={texts.tasks.title} />;
