import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts.ts';

export const TaskDetail = () => <PageTitle title={texts.task.title} />;
