import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { cropImage } from '../api/image-files.ts';
import { notifyError } from '../session/notices.ts';
import { texts } from '../texts/texts.ts';
import { IconButton, SmallButton } from './buttons.tsx';
import { type Crop, type FrameOptions, findCrop, type Size } from './input-images.ts';
import { useObjectUrl } from './object-url.ts';

/** How much of the image a result of this aspect ratio shows. */
const keptShare = (size: Size, ratio: string): number => {
  const { width, height } = findCrop(size, ratio) ?? size;
  return (width * height) / (size.width * size.height);
};

const CropOverlay = ({ size, crop }: { readonly size: Size; readonly crop: Crop }) => (
  <svg class="crop" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
    <path
      class="crop-lost"
      d={`M0 0H${size.width}V${size.height}H0Z M${crop.x} ${crop.y}v${crop.height}h${crop.width}v${-crop.height}Z`}
    />
    <rect class="crop-kept" x={crop.x} y={crop.y} width={crop.width} height={crop.height} />
  </svg>
);

type ToolsProps = {
  readonly size: Size;
  readonly frame: FrameOptions;
  readonly children: ComponentChildren;
};

/** Below an image of another shape: choose its shape, or which part of it is shown. */
const CropTools = ({ size, frame: { ratio, ratios, onRatio }, children }: ToolsProps) => {
  const share = (other: string): number => keptShare(size, other);
  const best = ratios.reduce((one, other) => (share(other) > share(one) ? other : one), ratio);
  return (
    <div class="row">
      {best !== ratio && <SmallButton onClick={() => onRatio(best)}>{texts.crop.switchTo(best)}</SmallButton>}
      {children}
    </div>
  );
};

type Props = {
  readonly file: File;
  readonly frame: FrameOptions | undefined;
  readonly onRemove: () => void;
  readonly onReplace: (file: File) => void;
};

const CENTER = 0.5;

/** An input image with its tools; a frame of a video shows how it is cropped. */
export const ImagePreview = ({ file, frame, onRemove, onReplace }: Props) => {
  const url = useObjectUrl(file);
  const [size, setSize] = useState<Size>();
  const [position, setPosition] = useState(CENTER);
  const [isCropping, setIsCropping] = useState(frame?.usesWhole !== true);
  const possible =
    size === undefined || frame === undefined ? undefined : findCrop(size, frame.ratio, position);
  const crop = isCropping ? possible : undefined;
  return (
    <div class="preview-box">
      <figure class="preview">
        {url !== undefined && (
          <img
            src={url}
            alt={file.name}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize({ width: naturalWidth, height: naturalHeight })
            }
          />
        )}
        {size !== undefined && crop !== undefined && (
          <>
            <CropOverlay size={size} crop={crop} />
            <figcaption class="crop-note">{texts.form.cropped(frame?.ratio ?? '')}</figcaption>
          </>
        )}
        <IconButton
          icon={X}
          kind="preview-remove"
          aria-label={texts.actions.remove(file.name)}
          onClick={onRemove}
        />
      </figure>
      {size !== undefined && frame !== undefined && possible !== undefined && (
        <CropTools size={size} frame={frame}>
          {crop === undefined ? (
            <SmallButton onClick={() => setIsCropping(true)}>{texts.crop.begin(frame.ratio)}</SmallButton>
          ) : (
            <>
              <label class="row small">
                {texts.crop.part}
                <input
                  type="range"
                  min="0"
                  max="100"
                  value={position * 100}
                  onInput={({ currentTarget }) => setPosition(Number(currentTarget.value) / 100)}
                />
              </label>
              <SmallButton onClick={() => void cropImage(file, possible).then(onReplace, notifyError)}>
                {texts.crop.apply}
              </SmallButton>
            </>
          )}
        </CropTools>
      )}
    </div>
  );
};
