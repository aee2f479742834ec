import { useState } from 'react'
import { asCallError, type CallError } from './call-error'
import { fetchExport, saveFile } from './export'

/** Saves what an address answers as a file. `failed` gets the error where that failed, and null when the next try begins. */
export function useSavedFile(failed: (error: CallError | null) => void) {
  const [saving, setSaving] = useState(false)
  const save = async (url: string) => {
    setSaving(true)
    failed(null)
    try {
      saveFile(await fetchExport(url, new AbortController().signal, () => undefined))
    } catch (cause) {
      failed(asCallError(cause))
    }
    setSaving(false)
  }
  return { saving, save }
}
