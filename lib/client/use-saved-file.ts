import { useMutation } from '@tanstack/react-query'
import type { CallError } from './call-error'
import { fetchExport, saveFile } from './export'

/** Downloads a URL and saves it as a file. `failed` receives the error, and null when the next attempt begins. */
export function useSavedFile(failed: (error: CallError | null) => void) {
  const { isPending, mutate } = useMutation({
    mutationFn: async (url: string) => saveFile(await fetchExport(url, new AbortController().signal, () => undefined)),
    onMutate: () => failed(null),
    onError: failed,
  })
  return { saving: isPending, save: mutate }
}
