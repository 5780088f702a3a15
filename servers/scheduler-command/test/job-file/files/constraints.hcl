job "picky" {
  constraint {
    attribute = "${attr.kernel.name}"
    value     = "linux"
  }
  constraint {
    distinct_hosts = true
  }
  constraint {
    operator  = "distinct_property"
    attribute = "${meta.rack}"
    value     = "2"
  }
  group "g" {
    constraint {
      attribute = "${attr.driver.docker.version}"
      operator  = "semver"
      value     = ">= 20.10.0"
    }
    constraint {
      attribute    = "${meta.features}"
      set_contains = "gpu,nvme"
    }
    constraint {
      attribute = "${attr.vault.version}"
      operator  = "is_set"
    }
    task "t" {
      driver = "docker"
      config { image = "x" }
      constraint {
        attribute = "${attr.unique.hostname}"
        operator  = "!="
        value     = "old1"
      }
    }
  }
}
