import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { type WorkId, type WorkRead, workWords } from '@/lib/domain/work'
import { ReadAgain } from './read-again'

type Failed = Extract<WorkRead, { ok: false }>

/** A queue that could not be read, in its place. It is never drawn as an empty one. */
export const GroupFailed = ({ id, read }: { id: WorkId; read: Failed }) => (
  <ErrorNotice
    what={`${workWords[id].title}: could not be read`}
    error={read.error}
    requestId={read.requestId}
    actions={<ReadAgain what={workWords[id].title} />}
  />
)
