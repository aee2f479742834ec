import { HomeSkeleton } from '@/components/home/home'

const Loading = () => <HomeSkeleton />

export default Loading
