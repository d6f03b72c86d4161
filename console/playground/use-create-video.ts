import { useMutation } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { queryClient, retryable, retryDelay } from '../api/query-client.ts';
import { createVideo } from '../api/videos.ts';
import { toFormData, type VideoFiles } from './video-fields.ts';
import type { VideoForm } from './video-form.ts';

type Order = { readonly form: VideoForm; readonly files: VideoFiles };

/** The same order, sent again after a lost answer, must not make a second video: it keeps its key. */
export const useCreateVideo = (onCreated: (id: string) => void) => {
  const open = useRef<(Order & { readonly key: string }) | undefined>(undefined);
  return useMutation({
    mutationFn: ({ form, files }: Order) => {
      if (open.current?.form !== form || open.current.files !== files)
        open.current = { form, files, key: crypto.randomUUID() };
      return createVideo(toFormData(form, files), open.current.key);
    },
    retry: retryable,
    retryDelay,
    onSuccess: (video) => {
      open.current = undefined;
      queryClient.setQueryData(['video', video.id], video);
      void queryClient.invalidateQueries({ queryKey: ['videos'] });
      onCreated(video.id);
    },
  });
};
