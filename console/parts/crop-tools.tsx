import { useState } from 'preact/hooks';
import { cropImage } from '../api/image-files.ts';
import { notifyError } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';
import { type Crop, findCrop, type Size } from './input-images.ts';

/** How much of the image a video of this aspect ratio shows. */
const keptShare = (size: Size, ratio: string): number => {
  const { width, height } = findCrop(size, ratio) ?? size;
  return (width * height) / (size.width * size.height);
};

export type CropToolsProps = {
  readonly file: File;
  readonly size: Size;
  readonly crop: Crop;
  readonly ratio: string;
  /** Those that can be chosen. */
  readonly ratios: readonly string[];
  readonly onRatio: (ratio: string) => void;
  /** From 0, the left or upper end, to 1. */
  readonly position: number;
  readonly onPosition: (position: number) => void;
  readonly onCropped: (file: File) => void;
};

/** Below an image that does not have the shape of the video: another shape, or which part of it is shown. */
export const CropTools = (props: CropToolsProps) => {
  const { file, size, crop, ratio, ratios, onRatio, position, onPosition, onCropped } = props;
  const [isPending, setIsPending] = useState(false);
  const better = ratios.find((other) => keptShare(size, other) > keptShare(size, ratio));
  const apply = async (): Promise<void> => {
    setIsPending(true);
    try {
      onCropped(await cropImage(file, crop));
    } catch (error) {
      notifyError(error);
    }
    setIsPending(false);
  };
  return (
    <div class="row">
      {better !== undefined && (
        <button type="button" class="button button-small" onClick={() => onRatio(better)}>
          {texts.crop.switchTo(better)}
        </button>
      )}
      <label class="row small">
        {texts.crop.part}
        <input
          type="range"
          min="0"
          max="100"
          value={position * 100}
          onInput={({ currentTarget }) => onPosition(Number(currentTarget.value) / 100)}
        />
      </label>
      <button type="button" class="button button-small" disabled={isPending} onClick={apply}>
        {texts.crop.apply}
      </button>
    </div>
  );
};
