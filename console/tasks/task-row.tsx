import { Link } from 'wouter-preact';
import { truncate } from '../../functions/platform/domain/errors.ts';
import type { Video } from '../api/shapes.ts';
import { formatAge, formatMoney, formatSize, formatTime } from '../parts/format.ts';
import { StatusBadge } from '../parts/status-badge.tsx';

const MAX_SHOWN = 200;

type Props = { readonly video: Video; readonly now: number };

/** Nothing where nothing was charged, or no price is set. */
export const chargeText = ({ charge }: Video): string | undefined => {
  if (charge === undefined || charge === null || charge.amount === null || charge.currency === null)
    return undefined;
  return formatMoney(charge.amount, charge.currency);
};

export const TaskRow = ({ video, now }: Props) => (
  <li class="task-row">
    <StatusBadge status={video.status} />
    <div class="task-main">
      <Link class="task-link" href={`/tasks/${video.id}`} dir="auto">
        {truncate(video.prompt, MAX_SHOWN)}
      </Link>
      <span class="quiet small">{video.model}</span>
    </div>
    <span class="quiet small number task-size">{formatSize(video.size)}</span>
    <span class="number small task-cost">{chargeText(video)}</span>
    <time
      class="quiet small task-age"
      dateTime={new Date(video.created_at * 1000).toISOString()}
      title={formatTime(video.created_at)}
    >
      {formatAge(video.created_at, now)}
    </time>
  </li>
);
