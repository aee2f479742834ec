import { respondDocumentFrame } from '@/lib/server/http/document-frame'

export const GET = respondDocumentFrame
