import { serveDeletionList, serveDeletionRequest } from '@/lib/server/deletion-serve'

export { serveDeletionList as GET, serveDeletionRequest as POST }
