const BOX = 22;

/** An aspect ratio as a small rectangle of that shape. */
export const RatioShape = ({ ratio }: { readonly ratio: string }) => {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const scale = BOX / Math.max(across, down);
  const width = Math.max(4, across * scale);
  const height = Math.max(4, down * scale);
  return (
    <svg class="ratio" viewBox="0 0 24 24" aria-hidden="true">
      <rect x={12 - width / 2} y={12 - height / 2} width={width} height={height} rx="1.5" />
    </svg>
  );
};
