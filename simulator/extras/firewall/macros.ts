/** The macros of the firewall, by their names in lower case. */
export const MACROS: ReadonlyMap<string, string> = new Map(
  `Amanda Auth BGP BitTorrent BitTorrent32 Ceph CVS DAAP DCC DHCPfwd DHCPv6 Distcc DNS Finger FTP GNUnet GRE Git
  HKP HTTP HTTP/3 HTTPS ICPV2 ICQ IMAP IMAPS IPIP IPP IPPbrd IPPserver IPsec IPsecah IPsecnat IRC Jetdirect L2TP
  LDAP LDAPS Mail MDNS MSNP MSSQL Munin MySQL NeighborDiscovery NNTP NNTPS NTP NTPbi OpenVPN OSPF PBS PCA PMG
  POP3 POP3S PPtP Ping PostgreSQL Printer RDP Razor Rdate Rfb RIP RNDC Rsync SANE SMB SMBswat SMTP SMTPS SNMP
  SPAMD SPICEproxy SSH SVN SixXS Squid Submission Syslog TFTP Telnet Telnets Time Trcrt VNC VNCL Web Webcache
  Webmin Whois ZabbixAgent`
    .split(/\s+/)
    .map((name): [string, string] => [name.toLowerCase(), name]),
);
