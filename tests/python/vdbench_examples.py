"""Parameter files of Vdbench as people write them, and what becomes of each: the tests that it makes, or why not."""

# Name: (text, tests that the job makes with all its lists, or the key that is refused).
EXAMPLES = {
    "one disk of the manual": ("""
*SD:    Storage Definition
*WD:    Workload Definition
*RD:    Run Definition
*
sd=sd1,lun=/data/vdb/disk1,size=10g
wd=wd1,sd=sd1,xfersize=4096,rdpct=100
rd=run1,wd=wd1,iorate=100,elapsed=10,interval=1
""", 1),
    "two disks with different loads": ("""
sd=sd1,lun=/data/vdb/disk1,size=10g
sd=sd2,lun=/data/vdb/disk2,size=10g
wd=wd1,sd=sd1,xfersize=4k,rdpct=80,skew=40
wd=wd2,sd=sd2,xfersize=8k,rdpct=0
rd=run1,wd=wd*,iorate=200,elapsed=10,interval=1
""", 2),
    "two workloads on the same disks": ("""
sd=sd1,lun=/data/vdb/disk1,size=10g
sd=sd2,lun=/data/vdb/disk2,size=10g
wd=wd1,sd=(sd1,sd2),xfersize=4k,rdpct=75
wd=wd2,sd=(sd1,sd2),xfersize=8k,rdpct=100
rd=default,elapsed=10,interval=1
rd=run1,wd=(wd1,wd2),iorate=100
rd=run2,wd=(wd1,wd2),iorate=200
""", 2),
    "curves for each size": ("""
sd=sd1,lun=/data/vdb/disk1,size=10g
wd=wd1,sd=sd1,rdpct=100
rd=run1,wd=wd1,io=curve,el=10,in=1,forx=(1k-64k,d)
""", 49),
    "two hosts and one file": ("""
* This test does a three second 4k read test from two hosts against the same file.
hd=default,vdbench=/home/user/vdbench,user=user
hd=one,system=systema
hd=two,system=systemb
sd=sd1,host=*,lun=/home/user/junk/vdbench_test,size=10m
wd=wd1,sd=sd*,rdpct=100,xf=4k
rd=rd1,wd=wd1,el=3,in=1,io=10
""", 1),
    "a trace": ("""
rg=group1,devices=(123,456,789)
sd=sd1,lun=/data/vdb/disk1,replay=group1,size=1g
wd=wd1,sd=sd1
rd=run1,wd=wd1,elapsed=9999,interval=10,replay=/tmp/flatfile.bin.gz
""", "rg"),
    "four corners": ("""
compratio=2
data_errors=100
sd=default,openflags=o_direct,threads=32,size=100g
sd=sd1,lun=/mnt/vol1/vdb.dat
sd=sd2,lun=/mnt/vol2/vdb.dat
sd=sd3,lun=/mnt/vol3/vdb.dat
sd=sd4,lun=/mnt/vol4/vdb.dat
wd=default,sd=sd*
wd=seqread,xfersize=1m,seekpct=0,rdpct=100
wd=seqwrite,xfersize=1m,seekpct=0,rdpct=0
wd=rndread,xfersize=4k,seekpct=100,rdpct=100
wd=rndwrite,xfersize=4k,seekpct=100,rdpct=0
rd=default,iorate=max,elapsed=300,interval=5,warmup=30,pause=30
rd=seqread,wd=seqread
rd=seqwrite,wd=seqwrite
rd=rndread,wd=rndread
rd=rndwrite,wd=rndwrite
""", 4),
    "queue depths and sizes": ("""
sd=sd1,lun=/mnt/nvme/file1,size=200g,openflags=directio
wd=wd1,sd=sd1,rdpct=70,seekpct=100
rd=grid,wd=wd1,iorate=max,elapsed=60,interval=1,warmup=10,forthreads=(1-64,d),forxfersize=(4k,8k,64k),forrdpct=(0,70,100)
""", 63),
    "a database": ("""
* 8 KiB OLTP: data files at random, log sequentially
sd=data1,lun=/oradata/d1.dbf,size=50g,openflags=o_direct,threads=16
sd=data2,lun=/oradata/d2.dbf,size=50g,openflags=o_direct,threads=16
sd=log1,lun=/oralog/redo1.log,size=4g,openflags=o_direct,threads=2
wd=oltp,sd=data*,xfersize=(8k,90,64k,10),rdpct=67,seekpct=100,skew=90
wd=redo,sd=log1,xfersize=(512,50,1k,30,4k,20),rdpct=0,seekpct=0,skew=10
rd=oltp1000,wd=(oltp,redo),iorate=(1000,2000,4000),elapsed=10m,interval=10,warmup=60
""", 6),
    "a database as fast as it goes": ("""
sd=data1,lun=/oradata/d1.dbf,size=50g
sd=log1,lun=/oralog/redo1.log,size=4g
wd=oltp,sd=data1,xfersize=8k,rdpct=67,skew=90
wd=redo,sd=log1,xfersize=4k,rdpct=0,seekpct=0,skew=10
rd=oltp,wd=(oltp,redo),iorate=max,elapsed=600,interval=10
""", "skew"),
    "many files by count": ("""
messagescan=no
sd=sd,lun=/mnt/pool/file-*,count=(1,8),size=1500m,threads=4
wd=wd1,sd=(sd1-sd8),xfersize=(4k,32k,4k),rdpct=50
rd=rd1,wd=wd1,iorate=(500-2000,500),elapsed=60,interval=2
""", 4),
    "from the command line": ("""
hd=default,shell=ssh,jvms=2
hd=h1,system=$host1
hd=h2,system=$host2
sd=sd1,hd=h1,lun=$dir/h1.dat,size=$size
sd=sd2,hd=h2,lun=$dir/h2.dat,size=$size
rd=rd1,sd=*,xfersize=$xf,rdpct=100,seekpct=rand,iorate=max,elapsed=$time,interval=1
""", 1),
    "pairs of hosts and luns": ("""
hd=a,system=10.1.1.1
hd=b,system=10.1.1.2
sd=sd1,host=a,lun=/mnt/a/disk,host=b,lun=/mnt/b/disk,size=20g
wd=wd1,sd=sd1,rdpct=60,xfersize=16k
rd=rd1,wd=wd1,iorate=max,elapsed=120,interval=1
""", 1),
    "cache hits": ("""
sd=sd1,lun=/mnt/vol/hits,size=8g,hitarea=64m,openflags=o_direct
wd=wd1,sd=sd1,rdpct=100,rhpct=90,xfersize=8k
rd=rd1,wd=wd1,iorate=max,elapsed=60,interval=1,forrhpct=(0,50,90)
""", 3),
    "different hits of reads and writes": ("""
sd=sd1,lun=/mnt/vol/hits,size=8g
wd=wd1,sd=sd1,rdpct=70,rhpct=50,whpct=20,xfersize=8k
rd=rd1,wd=wd1,iorate=max,elapsed=60,interval=1
""", "hit percentages"),
    "ranges and steps": ("""
sd=sd1,lun=/mnt/vol/file,size=1t
wd=inner,sd=sd1,range=(90,110),xfersize=64k
wd=bytes,sd=sd1,range=(1g,2g),xfersize=64k
wd=skip,sd=sd1,stride=(1m,1m),xfersize=64k,rdpct=100
rd=default,iorate=max,elapsed=30,interval=1
rd=inner,wd=inner
rd=bytes,wd=bytes
rd=skip,wd=skip
""", 3),
    "a hot band": ("""
sd=sd1,lun=/mnt/vol/file,size=1t
wd=hot,sd=sd1,hotband=(10,20),xfersize=8k
rd=hot,wd=hot,iorate=max,elapsed=30,interval=1
""", 1),
    "a rate that changes": ("""
sd=sd1,lun=/mnt/vol/file,size=10g
wd=wd1,sd=sd1
rd=rd1,wd=wd1,iorate=(100,10,1000,5,50,10),dist=variable,elapsed=60,interval=1
""", "distribution"),
    "arrivals": ("""
sd=sd1,lun=/mnt/vol/file,size=10g
wd=wd1,sd=sd1
rd=even,wd=wd1,iorate=100,distribution=d,elapsed=60,interval=1
rd=uni,wd=wd1,iorate=100,distribution=uniform,elapsed=60,interval=1
rd=both,wd=wd1,iorate=(100,max),elapsed=60,interval=1
""", 4),
    "verified": ("""
validate=yes
sd=sd1,lun=/mnt/vol/file,size=10g
wd=wd1,sd=sd1,rdpct=50
rd=rd1,wd=wd1,iorate=max,elapsed=60,interval=1
""", "validate"),
    "dedup": ("""
dedupratio=2
dedupunit=8k
sd=sd1,lun=/mnt/vol/file,size=10g
wd=wd1,sd=sd1,rdpct=0,xfersize=8k
rd=rd1,wd=wd1,iorate=max,elapsed=60,interval=1
""", "dedupratio"),
    "each disk alone": ("""
sd=sd1,lun=/mnt/d1/f,size=10g
sd=sd2,lun=/mnt/d2/f,size=10g
sd=sd3,lun=/mnt/d3/f,size=10g
rd=one,sd=single,xf=256k,seekpct=seq,rdpct=100,iorate=max,el=60,in=5
rd=more,sd=range,xf=256k,seekpct=seq,rdpct=100,iorate=max,el=60,in=5
""", 6),
    "forbidden intervals": ("""
sd=sd1,lun=/mnt/d1/f,size=10g
wd=wd1,sd=sd1
rd=rd1,wd=wd1,iorate=max,elapsed=65,interval=10
""", "elapsed"),
    "a mistyped blank": ("""
sd=sd1,lun=/mnt/d1/f,size=10g
wd=wd1, sd=sd1, xfersize=4k
rd=rd1,wd=wd1,iorate=max,elapsed=60,interval=10
""", "a blank ends"),
    "a matrix of a vendor": ("""
hd=default,jvms=4,shell=ssh,user=root
hd=node1,system=192.168.10.11
hd=node2,system=192.168.10.12
hd=node3,system=192.168.10.13
sd=default,openflags=o_direct,size=64g,threads=8
sd=n1_1,host=node1,lun=/vsan/n1/f1
sd=n1_2,host=node1,lun=/vsan/n1/f2
sd=n2_1,host=node2,lun=/vsan/n2/f1
sd=n2_2,host=node2,lun=/vsan/n2/f2
sd=n3_1,host=node3,lun=/vsan/n3/f1
sd=n3_2,host=node3,lun=/vsan/n3/f2
wd=default,sd=(n*)
wd=r70,xfersize=4k,rdpct=70,seekpct=100
wd=oltp,xfersize=32k,rdpct=70,seekpct=100
wd=rdbms,xfersize=(4k,20,8k,30,32k,50),rdpct=60,seekpct=80
rd=default,elapsed=3600,warmup=1800,interval=30
rd=r70max,wd=r70,iorate=max
rd=r70curve,wd=r70,iorate=curve,curve=(10-120,10),stopcurve=5
rd=oltp,wd=oltp,iorate=(10000,20000)
rd=rdbms,wd=rdbms,iorate=max,forthreads=(4,8,16)
eof
rd=later,wd=r70,iorate=max
""", 19),
    "file system of the manual": ("""
fsd=fsd1,anchor=/dir1,depth=2,width=2,files=2,size=128k
fwd=fwd1,fsd=fsd1,operation=read,xfersize=4k,fileio=sequential,fileselect=random,threads=2
rd=rd1,fwd=fwd1,fwdrate=max,format=yes,elapsed=10,interval=1
""", 1),
    "clients of a shared file system": ("""
hd=default,vdbench=/root/vdbench50407,user=root,shell=ssh
hd=hd1,system=node241
hd=hd2,system=node242
hd=hd3,system=node243
fsd=fsd1,anchor=/mnt/shared,depth=2,width=10,files=60,size=1m,shared=yes,openflags=o_direct
fwd=fwd1,fsd=fsd1,host=(hd1,hd2,hd3),operation=write,rdpct=70,xfersize=64k,fileio=random,fileselect=random,threads=12
rd=rd1,fwd=fwd1,fwdrate=max,format=(restart,only),elapsed=60,interval=1
rd=rd2,fwd=fwd1,fwdrate=(1000,max),format=no,elapsed=120,interval=1,warmup=10
""", 2),
    "a tree for each client": ("""
hd=default,shell=ssh
hd=h1,system=c1
hd=h2,system=c2
fsd=default,depth=1,width=4,files=100,size=64k
fsd=fsd_h1,anchor=/mnt/h1
fsd=fsd_h2,anchor=/mnt/h2
fwd=default,operation=read,xfersize=16k,fileselect=random,threads=4
fwd=fwd1,fsd=fsd_h1,host=h1
fwd=fwd2,fsd=fsd_h2,host=h2
rd=reads,fwd=fwd*,fwdrate=max,format=yes,elapsed=30,interval=1
rd=writes,fwd=fwd*,fwdrate=500,format=restart,elapsed=30,interval=1,operations=write
""", 4),
    "reads and writes by skew": ("""
fsd=fsd1,anchor=/data,depth=1,width=1,files=500,size=256k
fwd=default,fsd=fsd1,fileio=random,fileselect=random,xfersize=8k,threads=8
fwd=r,operation=read,skew=80
fwd=w,operation=write,xfersize=(4k,50,16k,50),skew=20
rd=mix,fwd=(r,w),fwdrate=max,format=yes,elapsed=60,interval=1,forthreads=(8,16)
""", 2),
    "creating and removing": ("""
fsd=fsd1,anchor=/data/meta,depth=3,width=5,files=100,size=4k
fwd=fwd1,fsd=fsd1,operation=create,threads=16
rd=create,fwd=fwd1,fwdrate=max,format=(clean,only),elapsed=10,interval=1
rd=all,fwd=fwd1,fwdrate=max,format=no,foroperations=(mkdir,create,getattr,delete,rmdir),elapsed=60,interval=1
""", 5),
    "a mix of a file server": ("""
create_anchors=yes
messagescan=nodisplay
hd=default,shell=ssh,user=root,jvms=1
hd=hd1,system=c1
fsd=fsd1,anchor=/data/fs,width=4,depth=2,files=400,sizes=128k,openflags=directio
fwd=default,host=hd1,fsd=fsd1
fwd=fwd1,xfersize=(8k,67,16k,24,24k,3,32k,2,64k,2,96k,1,128k,1),threads=30,fileio=(random,shared),operation=read,skew=70
fwd=fwd2,xfersize=(8k,67,16k,24,24k,3,32k,2,64k,2,96k,1,128k,1),threads=10,fileio=(random,shared),operation=write,skew=15
fwd=fwd3,threads=7,operation=getattr,skew=10
fwd=fwd4,threads=3,operation=setattr,skew=5
rd=rd1,fwd=(fwd1,fwd2,fwd3,fwd4),fwdrate=max,format=yes,elapsed=1h,interval=60
""", "50 tasks cannot share files of 128k"),
    "files of many sizes": ("""
fsd=fsd1,anchor=/data/mixed,depth=2,width=4,files=100,sizes=(4k,30,64k,50,1m,20)
fwd=fwd1,fsd=fsd1,operation=read,threads=8
rd=rd1,fwd=fwd1,fwdrate=max,format=yes,elapsed=60,interval=1
""", 3),
    "a curve on one tree": ("""
create_anchors=yes
fsd=fsd1,anchor=/data/curve,depth=1,width=10,files=100,size=1m
fwd=fwd1,fsd=fsd1,operation=read,xfersize=256k,threads=10
rd=rd1,fwd=fwd1,fwdrate=curve,curve=(25,50,75),format=yes,elapsed=60,interval=1
""", 4),
    "too few files": ("""
fsd=fsd1,anchor=/data/few,depth=1,width=1,files=4,size=1m
fwd=fwd1,fsd=fsd1,operation=read,threads=16
rd=rd1,fwd=fwd1,fwdrate=max,format=yes,elapsed=60,interval=1
""", "16 threads need a file each"),
}

# What stands on the command line behind the file.
ARGUMENTS = {"from the command line": ["host1=a", "host2=b", "dir=/mnt/x", "size=4g", "xf=8k", "time=60"]}
