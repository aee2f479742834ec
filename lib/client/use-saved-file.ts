import { useMutation } from '@tanstack/react-query'
import type { CallError } from './call-error'
import { fetchExport, saveFile } from './export'

/** Saves what an address answers as a file. `failed` gets the error where that failed, and null when the next try begins. */
export function useSavedFile(failed: (error: CallError | null) => void) {
  const { isPending, mutate } = useMutation({
    mutationFn: async (url: string) => saveFile(await fetchExport(url, new AbortController().signal, () => undefined)),
    onMutate: () => failed(null),
    onError: failed,
  })
  return { saving: isPending, save: mutate }
}
