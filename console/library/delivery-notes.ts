import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { formatNumber, formatSize } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';

type Delivery = Pick<VideoObject, 'seconds' | 'size' | 'charge' | 'file'>;
type DeliveredFile = NonNullable<VideoObject['file']>;

const sizeNote = ({ size }: Delivery, { width, height }: DeliveredFile): string =>
  texts.task.otherSize(formatSize(`${width}x${height}`), formatSize(size));

/** One decimal is enough to see the difference. */
const roundedSeconds = (seconds: number): string => formatNumber(Math.round(seconds * 10) / 10);

const lengthNote = ({ seconds: requested, charge }: Delivery, { seconds }: DeliveredFile): string => {
  const delivered = roundedSeconds(seconds ?? 0);
  return charge === undefined || charge === null || charge.amount === null
    ? texts.task.otherLength(delivered, requested)
    : texts.task.otherLengthCharged(delivered, requested, formatNumber(charge.seconds));
};

const NOTES = { size: sizeNote, seconds: lengthNote } as const satisfies Record<
  NonNullable<DeliveredFile['differs']>[number],
  (video: Delivery, file: DeliveredFile) => string
>;

/** A sentence for each way in which a video differs from its request; usually none. */
export const deliveryNotes = (video: Delivery): readonly string[] => {
  const { file } = video;
  return file === undefined || file === null
    ? []
    : (file.differs ?? []).map((difference) => NOTES[difference](video, file));
};
