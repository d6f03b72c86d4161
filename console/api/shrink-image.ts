/** Enough for a 4k video; the smaller sides are for a service that accepts less. */
const LONGEST_SIDES = [4096, 2048, 1024];
const QUALITY = 0.9;

const toJpeg = async (image: ImageBitmap, longest: number): Promise<Blob> => {
  const scale = Math.min(1, longest / Math.max(image.width, image.height));
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no canvas');
  // JPEG has no transparency, and would show it as black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
};

/** The image as a JPEG of at most `room` bytes; undefined if the browser cannot decode it or it stays too large. */
export const shrinkImage = async (file: File, room: number): Promise<File | undefined> => {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (image === undefined) return undefined;
  try {
    for (const longest of LONGEST_SIDES) {
      const blob = await toJpeg(image, longest);
      if (blob.size <= room)
        return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' });
    }
    return undefined;
  } finally {
    image.close();
  }
};
