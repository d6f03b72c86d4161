import type { Crop, Size } from './crop.ts';

/** Dims the parts that are cut off. */
export const CropOverlay = ({ size, crop }: { readonly size: Size; readonly crop: Crop }) => (
  <svg class="crop" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
    <path
      class="crop-lost"
      d={`M0 0H${size.width}V${size.height}H0Z M${crop.x} ${crop.y}v${crop.height}h${crop.width}v${-crop.height}Z`}
    />
    <rect class="crop-kept" x={crop.x} y={crop.y} width={crop.width} height={crop.height} />
  </svg>
);
