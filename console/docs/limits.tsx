import { ERRORS } from '../../functions/platform/domain/errors.ts';
import {
  DURATIONS,
  MAX_IMAGE_SIDE,
  MAX_PROMPT_CHARACTERS,
  MAX_REFERENCE_IMAGES,
} from '../../functions/platform/domain/models.ts';
import { formatNumber } from '../parts/format.ts';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts.ts';

export const Limits = () => {
  const { video_retention_days } = useCurrentSession();
  const { limitRows: names, limitValues: values } = texts.docs;
  const rows = [
    [names.lengths, values.lengths(DURATIONS.join(', '))],
    [names.prompt, values.prompt(formatNumber(MAX_PROMPT_CHARACTERS))],
    [names.images, values.images(formatNumber(MAX_IMAGE_SIDE))],
    [names.references, formatNumber(MAX_REFERENCE_IMAGES)],
    [names.request, values.request],
    [names.retention, values.retention(formatNumber(video_retention_days))],
  ] as const;
  return (
    <dl class="pairs card">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

export const Errors = () => (
  <div class="card table-card">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{texts.errors.code}</th>
          <th scope="col">{texts.docs.http}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(ERRORS).map(([code, { http }]) => (
          <tr key={code}>
            <th scope="row">
              <code>{code}</code>
            </th>
            <td class="number" data-label={texts.docs.http}>
              {http}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
