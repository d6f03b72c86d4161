import { serverNow } from '../api/clock.ts';
import { generateImage, type ImageOrder } from '../api/images.ts';
import { useMutation } from '../api/use-mutation.ts';
import { notify } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';
import { addToGallery } from './gallery.ts';

/** The image reaches the gallery even when its page has been left meanwhile. */
export const useCreateImage = () =>
  useMutation(async (order: ImageOrder) => {
    const blob = await generateImage(order);
    const isStored = await addToGallery({
      id: `image-${crypto.randomUUID()}`,
      blob,
      prompt: order.prompt,
      aspectRatio: order.aspectRatio,
      imageSize: order.imageSize,
      createdAt: serverNow(),
    });
    notify(isStored ? texts.images.finished : texts.images.storageRefused, isStored ? 'good' : 'info');
  });
