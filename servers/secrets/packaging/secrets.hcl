# /etc/secrets/secrets.hcl
storage "lmdb" { path = "/var/lib/secrets" }
audit "file"   { path = "/var/log/secrets/audit.log" }

# For this machine alone. Others get TLS: another address, with tls_cert_file and tls_key_file.
listener "tcp" {
  address     = "127.0.0.1:8200"
  tls_disable = true
}

auth "cloud" { path = "cloud" }
