import { serverNow } from '../api/clock.ts';
import type { Video } from '../api/shapes.ts';
import { isUnfinished } from '../api/videos.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { Player } from './player.tsx';
import { Problem } from './problem.tsx';
import { TaskFailure } from './task-failure.tsx';
import { WorkingStage } from './working-stage.tsx';

/** What there is to see of a task: that it is under way, its video, or why there is none. */
export const VideoStage = ({ video }: { readonly video: Video }) => {
  if (isUnfinished(video)) return <WorkingStage video={video} />;
  if (video.status === 'failed') return <TaskFailure video={video} />;
  if (video.expires_at !== null && video.expires_at * 1000 < serverNow())
    return <Problem message={texts.video.expired} />;
  return <Player id={video.id} size={video.size} prompt={video.prompt} />;
};
