import { StatusBadge } from '@/components/ui/status-badge'
import { statusWords } from '@/lib/domain/status'

/** A state in words, with the shape and colour of what it means; `kind` says whose state it is. */
export function Status({ kind, status }: { kind: Parameters<typeof statusWords>[0]; status: string }) {
  const words = statusWords(kind, status)
  return <StatusBadge tone={words.tone}>{words.label}</StatusBadge>
}
