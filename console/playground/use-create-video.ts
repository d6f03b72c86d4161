import { useRef } from 'preact/hooks';
import { withImages } from '../api/image-files.ts';
import { withRetries } from '../api/retries.ts';
import { useMutation } from '../api/use-mutation.ts';
import { createVideo, videoPages, videos } from '../api/videos.ts';
import { fileFields, toFormData, type VideoFiles } from './video-fields.ts';
import type { VideoForm } from './video-form.ts';

type Order = { readonly form: VideoForm; readonly files: VideoFiles };

/** The same order, sent again after a lost answer, must not make a second video: it keeps its key. */
export const useCreateVideo = (onCreated: (id: string) => void) => {
  const open = useRef<(Order & { readonly key: string }) | undefined>(undefined);
  return useMutation(
    ({ form, files }: Order) => {
      if (open.current?.form !== form || open.current.files !== files)
        open.current = { form, files, key: crypto.randomUUID() };
      const { key } = open.current;
      const fields = fileFields(form, files);
      return withImages(
        fields.map(([, file]) => file),
        (images) => {
          const named = images.map((image, index) => [fields[index]?.[0] ?? '', image] as const);
          return withRetries(() => createVideo(toFormData(form, named), key));
        },
      );
    },
    (video) => {
      open.current = undefined;
      videos.entry(video.id).set(video);
      void videoPages.invalidate();
      onCreated(video.id);
    },
  );
};
